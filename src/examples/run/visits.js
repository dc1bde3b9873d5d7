// Counts visits, without a lock: between reading and writing, another tab may have its turn.
const visits = Number(localStorage.getItem('visits'));
await new Promise(resolve => setTimeout(resolve, Math.random() * 4)); // somebody else's turn
localStorage.setItem('visits', visits + 1);
console.log('visit', visits + 1);
