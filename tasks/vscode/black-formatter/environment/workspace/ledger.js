const balance = (entries) => entries.reduce((sum, { amount }) => sum + amount, 0);

module.exports = { balance };
