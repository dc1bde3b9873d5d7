// One tab is primary, until it is closed: the data synchronization service of "Use Case Examples" in
// the explainer and of section 1.2 of the Working Draft, which have no code. This page opens tabs, and closes
// each that has become primary.
const tabs = new Map();
const channel = new BroadcastChannel('tabs');

channel.onmessage = ({data: {name, event}}) => {
  console.log(`${name} ${event}`);
  if (event === 'is primary') {
    setTimeout(() => {
      console.log(`${name} is closed`);
      tabs.get(name).close();
    }, 10);
  } else if (tabs.size < 3) {
    openTab();
  }
};

function openTab() {
  const name = `tab ${tabs.size + 1}`;
  tabs.set(name, open(`election-tab.html?${tabs.size + 1}`));
}

openTab();
