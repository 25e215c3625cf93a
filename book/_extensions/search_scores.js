/* How search results are ranked. Sphinx puts this before its own search script, which calls Scorer.score. */
var Scorer = {
  objNameMatch: 11, objPartialMatch: 6, objPrio: {0: 15, 1: 5, 2: -5}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,

  /* A result with a description is a statement, or a name of the library. One whose name has all words of the query
     comes first, statements before the library, the shortest name before the others; one that has some of them only in
     its page's title comes last. Then come what a chapter is about (its topics, from the index, with 50 or more), titles
     that have all words, and chapters before exercises, the library and lists. */
  score([page, name, anchor, description, score]) {
    const query = new URLSearchParams(location.search).get("q").toLowerCase();
    const split = (text) => text.toLowerCase().split(/[^\p{Letter}\p{Number}_]+/u).filter(Boolean);
    const parts = split(name), alike = (part, word) => (word.length < 3 ? part === word : part.startsWith(word));
    const named = split(query).every((word) => parts.some((part) => alike(part, word)));
    if (description) return named ? (description.startsWith("Python") ? 300 : 500) - name.length : 0;
    const aside = /exercises|\/api\/|bibliography|glossary|statements|genindex|errata|reproductions/.test(page);
    return score + (score >= 50 && !aside ? 200 : 0) + (named ? 100 - name.length / 10 : 0) - (aside ? 20 : 0);
  },
};

/* Telephones type a curly apostrophe where the index has a straight one. */
const curly = /%E2%80%99|’/gi;
if (curly.test(location.search)) location.replace(location.href.replace(curly, "'"));

/* What is shown of a page is its text: no buttons, no lists of contents, no code, and an ellipsis for a formula. */
addEventListener("DOMContentLoaded", () => {
  Search.htmlToText = (source, anchor) => {
    const page = new DOMParser().parseFromString(source, "text/html");
    const article = page.querySelector("article") ?? page.body;
    const part = (anchor && article.querySelector(anchor)) || article;
    part.querySelectorAll("script, style, .headerlink, .cell_input, .interactive-figure").forEach((other) => other.remove());
    part.querySelectorAll(".math").forEach((formula) => { formula.textContent = "…"; });
    return part.textContent.replace(/\s+/g, " ");
  };
});
