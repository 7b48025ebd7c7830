import matplotlib.pyplot as plt
from matplotlib.patches import Circle

places = {"A": (0, 0), "B": (2, 1), "C": (1, 3)}
fig = plt.figure(figsize=(5.0, 5.0))
ax = fig.add_axes([0.1, 0.1, 0.8, 0.8])
for one, other in ["AB", "BC"]:
    ax.plot(*zip(places[one], places[other]), color="black")
for name, place in places.items():
    ax.add_patch(Circle(place, 0.3, color="gold"))
    ax.text(*place, name, ha="center", va="center")
ax.set_aspect("equal")
plt.savefig("graph_1.pdf", bbox_inches="tight")
