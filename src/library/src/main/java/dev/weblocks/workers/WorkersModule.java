package dev.weblocks.workers;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;

/** The module that defines the interfaces of dedicated and shared workers. */
public final class WorkersModule implements PlatformModule {

  @Override
  public void define(Implementations implementations) {
    Worker.define(implementations);
    WorkerGlobalScope.define(implementations);
    DedicatedWorkerGlobalScope.define(implementations);
    SharedWorker.define(implementations);
    SharedWorkerGlobalScope.define(implementations);
    WorkerNavigator.define(implementations);
    WorkerLocation.define(implementations);
  }
}
