"use strict";
(function () {
  var list = document.getElementById("meals");
  var meals = Array.prototype.slice.call(list.children);
  var reason = document.getElementById("reason");
  var order = document.getElementById("order");
  var words = document.getElementById("words");
  var count = document.getElementById("count");
  function number(meal, name) { return Number(meal.getAttribute("data-" + name)); }
  var orders = {
    size: function (a, b) { return number(b, "size") - number(a, "size"); },
    high: function (a, b) { return number(b, "error") - number(a, "error"); },
    low: function (a, b) { return number(a, "error") - number(b, "error"); },
    row: function (a, b) { return number(a, "row") - number(b, "row"); }
  };
  function show() {
    var wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    var shown = 0;
    meals.slice().sort(orders[order.value]).forEach(function (meal) {
      var classes = meal.getAttribute("data-reasons").split(" ");
      var text = meal.textContent.toLowerCase();
      var fits = (!reason.value || classes.indexOf(reason.value) >= 0) &&
        wanted.every(function (w) { return text.indexOf(w) >= 0; });
      meal.hidden = !fits;
      shown += fits ? 1 : 0;
      list.appendChild(meal);
    });
    count.textContent = shown + " of " + meals.length + " listed meals shown";
  }
  [reason, order].forEach(function (box) { box.addEventListener("change", show); });
  words.addEventListener("input", show);
  document.getElementById("controls").addEventListener("submit", function (e) { e.preventDefault(); });
  document.getElementById("controls").hidden = false;
  show();
}());
