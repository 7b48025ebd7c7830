import numpy as np
import matplotlib.pyplot as plt

x, y = np.meshgrid(np.linspace(-2, 2, 20), np.linspace(-2, 2, 20))
fig = plt.figure(figsize=(6.0, 6.0))
ax = fig.add_subplot(111, projection="3d")
surface = ax.plot_surface(x, y, np.exp(-(x**2) - y**2), cmap="viridis")
ax.set_xlabel("East")
ax.set_ylabel("North")
fig.colorbar(surface, shrink=0.6)
plt.savefig("3d_1.pdf", bbox_inches="tight")
