// Pages of the project before citations: what a reader looks for is how to do it; the papers, errata and changes come after.
var Scorer = {
  score: (result) => {
    const [page, , , , score] = result;
    const late = /^(literature\/|errata|changes|references|tested|paper-figures)/.test(page);
    const first = /^(book\/|systems\/|index|files|control|contacts|bodies-and-wheels)/.test(page);
    return score + (first ? 20 : 0) - (late ? 40 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
