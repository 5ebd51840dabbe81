"""Learns which blocks of a page are its main content: what words of classes and ids are worth, then a forest.

usage: python3 train.py FEATURES MODELS, with the folders of dump.ts and of the models. Deterministic; README.md says more.
"""

import json
import math
import os
import sys
import zlib

import numpy as np
import xgboost as xgb

SETS = ["wcxb-dev350", "wcxb-dev-rest", "news-segments"]
FOLDS = 5
# Where features.ts puts the worth of names: own, nearest, decayed sum, least, most.
NAMES = slice(41, 46)
TREES, LEAVES = 110, 20
# The weights of the blocks of a page add up to at most 1 / MOST_OF_PAGE; without this limit, pages with short truths decide.
MOST_OF_PAGE = 0.3
MOST_OF_BLOCK = 60
# Names on fewer hosts, or with less worth (see worth_of_names), are left out.
LEAST_HOSTS, LEAST_WORTH = 8, 0.5
SHARE_OF_CONTENT = 0.35
FOREST = {
    "objective": "binary:logistic",
    "tree_method": "hist",
    "grow_policy": "lossguide",
    "max_leaves": LEAVES,
    "max_depth": 0,
    "eta": 0.1,
    "subsample": 0.7,
    "colsample_bytree": 0.3,
    "reg_lambda": 5,
    "min_child_weight": 150,
    "max_bin": 128,
    "seed": 1,
    "nthread": 1,
}


def read_pages(folder):
    """All pages, each with the slice of its blocks and the fold of its host; and the features of all blocks."""
    pages, features, at = [], [], 0
    for name in SETS:
        with open(os.path.join(folder, f"{name}.jsonl"), encoding="utf8") as rows:
            found = [json.loads(row) for row in rows]
        count = sum(len(page["y"]) for page in found)
        features.append(np.fromfile(os.path.join(folder, f"{name}.f32"), dtype=np.float32).reshape(count, -1))
        pages += found
    for page in pages:
        page["blocks"] = slice(at, at + len(page["y"]))
        page["fold"] = zlib.crc32(page["host"].encode()) % FOLDS
        at += len(page["y"])
    return pages, np.concatenate(features)


def labels_of(pages):
    labels = np.concatenate([page["y"] for page in pages]).astype(np.float32)
    weights = np.concatenate([page["w"] for page in pages]).astype(np.float32)
    for page in pages:
        weights[page["blocks"]] /= max(1, weights[page["blocks"]].sum() * MOST_OF_PAGE)
    weights[labels < 0] = 0
    weights /= weights[weights > 0].mean()
    return np.clip(labels, 0, 1), np.minimum(weights, MOST_OF_BLOCK)


def labels_under_names(page, labels, weights):
    """The mean label of the blocks in boxes of each name; of nested boxes of one name only the outermost counts."""
    count = len(page["boxes"])
    sums, totals = np.zeros(count), np.zeros(count)
    own = weights[page["blocks"]]
    np.add.at(sums, page["box"], labels[page["blocks"]] * own)
    np.add.at(totals, page["box"], own)
    for box in range(count - 1, 0, -1):
        up = page["boxes"][box][0]
        if up >= 0:
            sums[up] += sums[box]
            totals[up] += totals[box]
    around, found = [None] * count, {}
    for box, (up, names) in enumerate(page["boxes"]):
        outer = around[up] if up >= 0 else frozenset()
        new = [name for name in names if name not in outer]
        around[box] = outer | set(new) if new else outer
        if totals[box] <= 0:
            continue
        for name in new:
            entry = found.setdefault(name, [0, 0])
            entry[0] += sums[box]
            entry[1] += totals[box]
    return {name: part / whole for name, (part, whole) in found.items()}


def worth_of_names(pages, without_fold):
    """By name: log odds that a block in a box of this name is content, minus those of any block. Each host counts once."""
    by_name = {}
    for page in pages:
        if page["fold"] == without_fold:
            continue
        for name, label in page["names"].items():
            by_name.setdefault(name, {}).setdefault(page["host"], []).append(label)
    usual = math.log(SHARE_OF_CONTENT / (1 - SHARE_OF_CONTENT))
    worth = {}
    for name, hosts in by_name.items():
        if len(hosts) < LEAST_HOSTS:
            continue
        label = (sum(sum(each) / len(each) for each in hosts.values()) + 4 * SHARE_OF_CONTENT) / (len(hosts) + 4)
        value = round(math.log(label / (1 - label)) - usual, 1)
        if abs(value) >= LEAST_WORTH:
            worth[name] = value
    return worth


def name_features(page, worth):
    """The same numbers as `namesOf` in blocks.ts."""
    rows = np.zeros((len(page["boxes"]), 5), np.float32)
    for box, (up, names) in enumerate(page["boxes"]):
        if up < 0:
            continue
        known = [worth[name] for name in names if name in worth]
        own = sum(known) / len(known) if known else 0.0
        outer = rows[up]
        rows[box] = (own, own or outer[1], outer[2] * 0.8 + own, min(outer[3], own), max(outer[4], own))
    return rows[page["box"]]


def forest_of(features, labels, weights):
    known = weights > 0
    return xgb.train(FOREST, xgb.DMatrix(features[known], label=labels[known], weight=weights[known]), TREES)


def tree_of(node):
    if "leaf" in node:
        return round(node["leaf"], 2)
    below, above = [next(each for each in node["children"] if each["nodeid"] == node[key]) for key in ("yes", "no")]
    threshold = float(f"{node['split_condition']:.4g}")
    return [int(node["split"][1:]), int(threshold) if threshold == int(threshold) else threshold, tree_of(below), tree_of(above)]


def write(path, value):
    with open(path, "w", encoding="utf8") as file:
        json.dump(value, file, separators=(",", ":"))


def learn(pages, features, labels, weights, worth, fold=-1):
    """The model of all pages, or of those outside of a fold."""
    left = np.concatenate([np.full(len(page["y"]), page["fold"] != fold) for page in pages])
    forest = forest_of(features, labels, np.where(left, weights, 0))
    trees = [tree_of(json.loads(tree)) for tree in forest.get_dump(dump_format="json")]
    return {"names": worth, "trees": trees, "threshold": 0.5}


def main():
    folder, models = sys.argv[1:]
    os.makedirs(models, exist_ok=True)
    pages, features = read_pages(folder)
    labels, weights = labels_of(pages)
    for page in pages:
        page["names"] = labels_under_names(page, labels, weights)
    worths = [worth_of_names(pages, fold) for fold in range(FOLDS)]
    # The forest must not see names whose worth was learned from the page itself: it would trust them too much.
    for page in pages:
        features[page["blocks"], NAMES] = name_features(page, worths[page["fold"]])
    for fold, worth in enumerate(worths):
        write(os.path.join(models, f"fold{fold}.json"), learn(pages, features, labels, weights, worth, fold))
    write(os.path.join(models, "folds.json"), {page["id"]: page["fold"] for page in pages})
    write(os.path.join(models, "block-model.json"), learn(pages, features, labels, weights, worth_of_names(pages, -1)))


main()
