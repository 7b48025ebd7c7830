import numpy as np

np.random.seed(0)

import matplotlib.pyplot as plt

x = np.linspace(0, 10, 40)
fig, axes = plt.subplots(2, 2, figsize=(8.0, 6.0))
for index, (ax, colour) in enumerate(zip(axes.flat, ["teal", "orange", "purple", "crimson"])):
    ax.plot(x, np.sin(x + index) + np.random.normal(0, 0.05, 40), color=colour)
    ax.axhline(0, color="gray", linestyle="--")
    ax.set_title(f"Run {index + 1}")
fig.suptitle(r"Waves, $\sin(x + k)$")
plt.savefig('line_2.pdf', bbox_inches='tight')
