// META: title=IDL of the early draft
// META: global=window,dedicatedworker,sharedworker,serviceworker
// META: script=/resources/WebIDLParser.js
// META: script=/resources/idlharness.js
// META: timeout=long
'use strict';

idl_test(
    ['early-draft'],
    ['html', 'dom'],
    async idl => {
      idl.add_objects({
        LockManager: ['navigator.locks'],
        Lock: ['lock'],
      });
      if (self.Window) {
        idl.add_objects({Navigator: ['navigator']});
      } else {
        idl.add_objects({WorkerNavigator: ['navigator']});
      }
      await navigator.locks.acquire(['a', 'b'], lock => { self.lock = lock; });
    });
