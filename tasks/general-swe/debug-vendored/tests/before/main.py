from seats.booking import summary

if __name__ == "__main__":
    print(summary([(1, 4), (8, 9), (5, 7)], []))
