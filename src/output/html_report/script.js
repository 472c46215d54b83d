'use strict';
// Tables sort by a click or a key on the title of a column; long ones can be filtered.
const homi = {orders: {}};
homi.key = (cell) => {
  const key = cell.dataset.key ?? cell.textContent.trim();
  const number = Number(key);
  return key === '' || Number.isNaN(number) ? key : number;
};
homi.compare = (a, b) => {
  if (typeof a === typeof b) return typeof a === 'number' ? a - b : a.localeCompare(b);
  return typeof a === 'number' ? -1 : 1;
};
homi.sort = (table, column, down) => {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [homi.key(row.cells[column]), row]);
  rows.sort((a, b) => (down ? -1 : 1) * homi.compare(a[0], b[0]));
  body.append(...rows.map((row) => row[1]));
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    if (place === column) head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    else head.removeAttribute('aria-sort');
  });
  homi.orders[table.id] = [column, down];
};
homi.filter = (table, text) => {
  const wanted = text.toLowerCase();
  for (const row of table.tBodies[0].rows) {
    row.hidden = !row.textContent.toLowerCase().includes(wanted);
  }
};
homi.prepare = (root) => {
  for (const table of root.querySelectorAll('table.sortable')) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const now = head.getAttribute('aria-sort');
        const first = head.classList.contains('n');
        homi.sort(table, column, now ? now === 'ascending' : first);
      });
    });
    if ('filter' in table.dataset) {
      const input = document.createElement('input');
      input.type = 'search';
      input.placeholder = 'Filter rows';
      input.setAttribute('aria-label', 'Filter rows of: ' + table.caption.textContent);
      input.addEventListener('input', () => homi.filter(table, input.value));
      table.closest('.scroll').before(input);
    }
  }
};
// A link to a line opens the file that it is in.
homi.reveal = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  target.scrollIntoView({block: 'center'});
};
homi.prepare(document);
addEventListener('hashchange', homi.reveal);
homi.reveal();
