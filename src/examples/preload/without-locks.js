// Removes the locks of Weblocks, so that a polyfill that runs next adds its own.
delete Object.getPrototypeOf(navigator).locks;
delete self.LockManager;
delete self.Lock;
