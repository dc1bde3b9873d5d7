package dev.weblocks.encoding;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;
import java.nio.charset.Charset;

/** The module of the interfaces of this package. Holds the tables of the indexes. */
public final class EncodingModule implements PlatformModule {

  private final Indexes indexes;

  public EncodingModule() {
    this(Charset::forName);
  }

  EncodingModule(Indexes.Charsets charsets) {
    this.indexes = new Indexes(charsets);
  }

  @Override
  public void onRealmCreated(Realm realm) {
    realm.supplements().put(Indexes.class, indexes);
  }

  @Override
  public void define(Implementations implementations) {
    TextDecoder.define(implementations, indexes);
    TextEncoder.define(implementations);
  }
}
