module.exports = (title) => title.toLowerCase().replaceAll(' ', '-');
