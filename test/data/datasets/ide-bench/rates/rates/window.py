def moving(values, size):
    return [sum(values[at : at + size]) / size for at in range(len(values))]


def largest(values):
    found = 0
    for value in values:
        if value > found:
            found = value
    return found
