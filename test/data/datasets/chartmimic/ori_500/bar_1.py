# ===================
# Part 1: Importing Libraries
# ===================
import matplotlib.pyplot as plt

# ===================
# Part 2: Data Preparation
# ===================
boats = ["Gull", "Heron", "Tern"]
summer = [310, 250, 180]
winter = [120, 140, 90]

# ===================
# Part 3: Plot Configuration and Rendering
# ===================
fig, ax = plt.subplots(figsize=(6.0, 4.0))
ax.bar([at - 0.2 for at in range(3)], summer, width=0.4, color="#e07a5f", label="Summer")
ax.bar([at + 0.2 for at in range(3)], winter, width=0.4, color="#3d405b", label="Winter")
ax.set_xticks(range(3))
ax.set_xticklabels(boats)
ax.set_ylabel("Crossings")
ax.set_title("Crossings by boat")
ax.legend()

# ===================
# Part 4: Saving Output
# ===================
plt.tight_layout()
plt.savefig("bar_1.pdf", bbox_inches="tight")
