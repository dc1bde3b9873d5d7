/** Weblocks: Web Locks and the web platform around them inside GraalJS contexts. */
module dev.weblocks {
  requires static transitive org.jspecify;
  requires java.net.http;
  requires static jdk.jfr;
  requires transitive org.graalvm.polyglot;
  requires com.google.common;
  requires com.ibm.icu;
  requires org.jsoup;

  exports dev.weblocks.embed;
  exports dev.weblocks.model;
}
