#!/bin/bash
grep -q '"sum": *42' /output/sum.json && grep -q here /output/README && sum=1 || sum=0
echo "{\"reward\": $sum, \"near\": 0}" > /logs/verifier/reward.json
