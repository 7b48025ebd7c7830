import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import gaussian_kde

catches = pd.Series([3.1, 3.4, 4.0, 4.2, 4.9, 5.5, 7.8, 8.1], name="Catch (t)")
at = np.linspace(0, 10, 60)
fig, ax = plt.subplots(figsize=(5, 3))
ax.plot(at, gaussian_kde(catches)(at), color="#3d405b", label="Density")
ax.set_xlabel(catches.name)
ax.set_title("Catches of a season")
ax.legend()
plt.savefig("graph.png")
