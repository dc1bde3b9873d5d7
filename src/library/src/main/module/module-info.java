/** Weblocks: Web Locks and the web platform around them inside GraalJS contexts. */
module dev.weblocks {
  requires static transitive org.jspecify;
  requires java.net.http;
  requires static jdk.jfr;
  requires transitive org.graalvm.polyglot;
  requires org.jsoup;

  exports dev.weblocks.embed;
  exports dev.weblocks.model;

  // the lock managers, for the module that replicates them
  exports dev.weblocks.agent to
      dev.weblocks.cluster;
  exports dev.weblocks.lockmanager to
      dev.weblocks.cluster;
  exports dev.weblocks.lockmanager.message to
      dev.weblocks.cluster;
  exports dev.weblocks.locks to
      dev.weblocks.cluster;
}
