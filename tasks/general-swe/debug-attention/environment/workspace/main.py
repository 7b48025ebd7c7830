from model import means

if __name__ == "__main__":
    print([round(mean, 4) for mean in means(tokens=7, features=12, heads=3, seed=5)])
