// Before anything is drawn: the theme that was chosen here last, so that the page never flashes in the other one.
(function () {
  var kept = null;
  try {
    kept = localStorage.getItem("libretto.theme");
  } catch (refused) {
    kept = null;
  }
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
})();
