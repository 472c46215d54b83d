'use strict';
// While a run goes on the page asks whether its files have changed, and takes its new contents.
homi.refresh = async () => {
  const open = new Set([...document.querySelectorAll('details[open][id]')].map((one) => one.id));
  const answer = await fetch('/');
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const orders = {...homi.orders};
  for (const name of ['nav', 'main']) {
    document.querySelector(name).replaceWith(document.adoptNode(fresh.querySelector(name)));
  }
  document.title = fresh.title;
  homi.prepare(document.querySelector('main'));
  for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  for (const [id, [column, down]] of Object.entries(orders)) {
    const table = document.getElementById(id);
    if (table && table.tHead) homi.sort(table, column, down);
  }
};
homi.watch = async () => {
  let seen = null;
  for (;;) {
    try {
      const version = await (await fetch('/version')).text();
      if (seen !== null && version !== seen && !document.activeElement?.matches('input')) {
        await homi.refresh();
        seen = version;
      }
      seen = seen ?? version;
    } catch {
      document.body.dataset.live = 'lost';
    }
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
};
homi.watch();
