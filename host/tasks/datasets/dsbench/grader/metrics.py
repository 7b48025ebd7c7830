"""Metrics of DSBench's competitions, over two lists of values in the same order. ValueError for an invalid prediction."""

import collections
import math


def numbers(values):
    found = [float(value) for value in values]
    if not all(map(math.isfinite, found)):
        raise ValueError("a value is not a finite number")
    return found


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def label(value):
    """The same label, however it is written: 1, 1.0 and `1`."""
    try:
        return float(value)
    except ValueError:
        return value.strip()


def accuracy(actual, predicted):
    return mean(label(one) == label(other) for one, other in zip(actual, predicted))


def roc_auc(actual, predicted):
    """The share of pairs of a positive and a negative that are in the right order; a tie counts half."""
    pairs = sorted(zip(numbers(predicted), numbers(actual)))
    positives = sum(truth > 0 for _, truth in pairs)
    negatives = len(pairs) - positives
    ranks, at = 0.0, 0
    while at < len(pairs):
        end = at
        while end < len(pairs) and pairs[end][0] == pairs[at][0]:
            end += 1
        ranks += sum(truth > 0 for _, truth in pairs[at:end]) * (at + 1 + end) / 2
        at = end
    return (ranks - positives * (positives + 1) / 2) / (positives * negatives)


def errors(actual, predicted):
    return [other - one for one, other in zip(numbers(actual), numbers(predicted))]


def mse(actual, predicted):
    return mean(error * error for error in errors(actual, predicted))


def rmse(actual, predicted):
    return math.sqrt(mse(actual, predicted))


def mae(actual, predicted):
    return mean(map(abs, errors(actual, predicted)))


def median_ae(actual, predicted):
    found = sorted(map(abs, errors(actual, predicted)))
    middle = len(found) // 2
    return found[middle] if len(found) % 2 else (found[middle - 1] + found[middle]) / 2


def rmsle(actual, predicted):
    return rmse(map(math.log1p, numbers(actual)), map(math.log1p, numbers(predicted)))


def smape(actual, predicted):
    pairs = list(zip(numbers(actual), numbers(predicted)))
    return 100 * mean(2 * abs(other - one) / (abs(one) + abs(other)) for one, other in pairs)


def r2(actual, predicted):
    truth = numbers(actual)
    middle = mean(truth)
    return 1 - mse(truth, predicted) / mean((one - middle) ** 2 for one in truth)


def f1_of(actual, predicted, positive):
    both = [(one == positive, other == positive) for one, other in zip(actual, predicted)]
    right = sum(one and other for one, other in both)
    wrong = sum(one != other for one, other in both)
    return 2 * right / (2 * right + wrong) if right + wrong else 0.0


def f1(actual, predicted):
    return f1_of(list(map(label, actual)), list(map(label, predicted)), 1.0)


def f1_macro(actual, predicted):
    truth, found = list(map(label, actual)), list(map(label, predicted))
    right = collections.Counter(one for one, other in zip(truth, found) if one == other)
    # Twice the right ones, and the wrong ones of both sides. Labels are counted once: a file may have as many as rows.
    named = collections.Counter(truth) + collections.Counter(found)
    return mean(2 * right[one] / named[one] for one in named)


def quadratic_kappa(actual, predicted):
    """For whole numbers: one minus the mean squared distance over that of pairs at random."""
    truth, found = numbers(actual), numbers(predicted)
    chance = mean(one * one for one in truth) + mean(one * one for one in found) - 2 * mean(truth) * mean(found)
    return 1 - mse(truth, found) / chance


def gini(actual, predicted):
    order = sorted(range(len(actual)), key=lambda at: (-predicted[at], at))
    total, so_far, area = math.fsum(actual), 0.0, 0.0
    for at in order:
        so_far += actual[at]
        area += so_far
    return (area / total - (len(actual) + 1) / 2) / len(actual)


def normalized_gini(actual, predicted):
    truth, found = numbers(actual), numbers(predicted)
    return gini(truth, found) / gini(truth, truth)


METRICS = {
    "accuracy": accuracy, "f1": f1, "f1-macro": f1_macro, "mae": mae, "median-ae": median_ae, "mse": mse,
    "normalized-gini": normalized_gini, "quadratic-kappa": quadratic_kappa, "r2": r2, "rmse": rmse, "rmsle": rmsle,
    "roc-auc": roc_auc, "smape": smape,
}


def score(performance, baseline, best):
    """The owners' formula: what part of the way from the baseline to the best was gone. More than all of it counts as all."""
    if not math.isfinite(performance):
        return 0.0
    return min(1.0, max(0.0, (performance - baseline) / (best - baseline)))
