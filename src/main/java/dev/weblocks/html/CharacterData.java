package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import org.jspecify.annotations.Nullable;

/**
 * The {@code CharacterData} interface, and {@code Text} and {@code Comment} with it.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-characterdata">DOM</a>
 */
abstract class CharacterData extends Node {

  private final Document document;

  CharacterData(Document document, org.jsoup.nodes.Node tree) {
    super(document.realm(), tree);
    this.document = document;
  }

  abstract String data();

  @Override
  Document document() {
    return document;
  }

  @Override
  @Nullable String textContent() {
    return data();
  }

  /** The {@code Text} interface; also the text inside script and style. */
  static final class Text extends CharacterData {
    Text(Document document, org.jsoup.nodes.Node tree) {
      super(document, tree);
    }

    @Override
    String data() {
      return descendantText(tree());
    }

    @Override
    int nodeType() {
      return 3;
    }

    @Override
    String nodeName() {
      return "#text";
    }
  }

  /** The {@code Comment} interface. */
  static final class Comment extends CharacterData {
    Comment(Document document, org.jsoup.nodes.Comment tree) {
      super(document, tree);
    }

    @Override
    String data() {
      return ((org.jsoup.nodes.Comment) tree()).getData();
    }

    @Override
    int nodeType() {
      return 8;
    }

    @Override
    String nodeName() {
      return "#comment";
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("CharacterData", CharacterData.class)
        .getter("data", CharacterData::data)
        .getter("length", node -> node.data().length());
    implementations.implement("Text", Text.class);
    implementations.implement("Comment", Comment.class);
  }
}
