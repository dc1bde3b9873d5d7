// Shows when the window goes to the background and returns.
const show = () => console.log(Math.round(performance.now() / 1000), document.visibilityState);
show();
document.onvisibilitychange = show;
