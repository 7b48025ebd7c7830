import math
import matplotlib.pyplot as plt

names = ["Speed", "Range", "Noise", "Cost", "Comfort"]
angles = [2 * math.pi * at / 5 for at in range(5)]
fig, ax = plt.subplots(figsize=(5.0, 5.0), subplot_kw={"polar": True})
for label, values, colour in [("Gull", [4, 3, 2, 5, 4], "#1b9e77"), ("Tern", [2, 5, 4, 3, 1], "#d95f02")]:
    ax.plot(angles + angles[:1], values + values[:1], color=colour, label=label)
    ax.fill(angles + angles[:1], values + values[:1], color=colour, alpha=0.25)
ax.set_xticks(angles)
ax.set_xticklabels(names)
ax.legend(loc="lower right")
plt.savefig("radar_1.pdf", bbox_inches="tight")
