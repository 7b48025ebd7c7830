python3 -c 'import json; json.dump({"sum": sum(json.load(open("/data/numbers.json")))}, open("/output/sum.json", "w"))'
