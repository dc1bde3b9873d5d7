// "Can you hold a lock for the lifetime of a tab?" of the explainer's FAQ. The tab is lifetime-tab.html; this
// page, which is ours, requests the same lock and closes the tab.
const channel = new BroadcastChannel('tabs');

channel.onmessage = async () => {
  const {held} = await navigator.locks.query();
  console.log('held while the tab is there:', held[0].name);
  setTimeout(() => {
    console.log('the tab is closed');
    tab.close();
  }, 10);
  await navigator.locks.request('tab', lock => console.log('then somebody else gets it:', lock.name));
};

const tab = open('lifetime-tab.html');
