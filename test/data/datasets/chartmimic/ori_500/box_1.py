import numpy as np

np.random.seed(1)
import matplotlib.pyplot as plt

data = [np.random.normal(mean, 1, 60) for mean in range(3)]
fig, (left, right) = plt.subplots(1, 2, figsize=(9.0, 4.0))
boxes = left.boxplot(data, patch_artist=True)
for box, colour in zip(boxes["boxes"], ["#a6cee3", "#b2df8a", "#fb9a99"]):
    box.set_facecolor(colour)
parts = right.violinplot(data, showmeans=True)
for body in parts["bodies"]:
    body.set_facecolor("slateblue")
left.set_xlabel("Box")
right.set_xlabel("Violin")
plt.savefig("box_1.pdf", bbox_inches="tight")
