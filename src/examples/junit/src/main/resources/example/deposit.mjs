// Adds 10 to the balance in two steps. Another script may run between the read and the write.
const before = balance();
await new Promise(resolve => setTimeout(resolve)); // like any work that takes a while
setBalance(before + 10);
