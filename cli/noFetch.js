// Stands for node-fetch, by which vega would load data: charts have theirs.
export default undefined;
