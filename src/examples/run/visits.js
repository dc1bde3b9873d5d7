// Counts visits, without a lock: between reading and writing, another tab may run.
const visits = Number(localStorage.getItem('visits'));
await new Promise(resolve => setTimeout(resolve, Math.random() * 4)); // other tabs run
localStorage.setItem('visits', visits + 1);
console.log('visit', visits + 1);
