package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.ScriptException;
import org.jsoup.nodes.DataNode;
import org.jsoup.nodes.TextNode;

/**
 * The {@code CharacterData} interface, with {@code Text}, {@code Comment} and {@code
 * ProcessingInstruction}.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-characterdata">DOM</a>
 */
abstract class CharacterData extends Node {

  CharacterData(Document document, org.jsoup.nodes.Node tree) {
    super(document.realm(), document, tree);
  }

  abstract String data();

  abstract void setData(String data);

  @Override
  final String textContent() {
    return data();
  }

  @Override
  final void setTextContent(String text) {
    replaceData(0, data().length(), text);
  }

  @Override
  boolean hasSameData(Node other) {
    return ((CharacterData) other).data().equals(data());
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-cd-replace">replace data</a> */
  final void replaceData(int offset, int count, String with) {
    String data = data();
    setData(data.substring(0, offset) + with + data.substring(offset + count));
    document().treeChanged();
    Node parent = parent();
    if (parent != null) {
      parent.childrenChanged();
    }
  }

  final int offset(Arguments args, String operation) {
    double offset = args.number(0);
    if (offset > data().length()) {
      throw ScriptException.dom(
          "IndexSizeError",
          "Failed to execute '%s' on '%s': The offset %d is greater than the node's length (%d)."
              .formatted(
                  operation,
                  operation.equals("splitText") ? "Text" : "CharacterData",
                  (long) offset,
                  data().length()));
    }
    return (int) offset;
  }

  /** Returns the count in the second argument, limited to the data after the offset. */
  private int count(Arguments args, int offset) {
    return (int) Math.min(args.number(1), data().length() - offset);
  }

  private String substringData(Arguments args) {
    int offset = offset(args, "substringData");
    return data().substring(offset, offset + count(args, offset));
  }

  private void deleteData(Arguments args) {
    int offset = offset(args, "deleteData");
    replaceData(offset, count(args, offset), "");
  }

  private void replaceData(Arguments args) {
    int offset = offset(args, "replaceData");
    replaceData(offset, count(args, offset), args.string(2));
  }

  /** The {@code Text} interface, also for the text inside script and style elements. */
  static final class Text extends CharacterData {
    Text(Document document, org.jsoup.nodes.Node tree) {
      super(document, tree);
    }

    static Text of(Document document, String data) {
      return new Text(document, new TextNode(data));
    }

    @Override
    String data() {
      return tree() instanceof DataNode data
          ? data.getWholeData()
          : ((TextNode) tree()).getWholeText();
    }

    @Override
    void setData(String data) {
      if (tree() instanceof DataNode node) {
        node.setWholeData(data);
      } else {
        ((TextNode) tree()).text(data);
      }
    }

    @Override
    int nodeType() {
      return TEXT_NODE;
    }

    @Override
    String nodeName() {
      return "#text";
    }

    @Override
    Node cloneSingle(Document document) {
      return of(document, data());
    }

    /** <a href="https://dom.spec.whatwg.org/#concept-text-split">split a Text node</a> */
    private Text split(Arguments args) {
      // 1. to 3.
      int offset = offset(args, "splitText");
      // 4. to 6.
      Text rest = of(document(), data().substring(offset));
      Node parent = parent();
      // 7.
      if (parent != null) {
        Mutation.preInsert(parent, rest, nextSibling(), "splitText");
      }
      // 8.
      replaceData(offset, data().length() - offset, "");
      return rest;
    }

    /** <a href="https://dom.spec.whatwg.org/#dom-text-wholetext">wholeText</a> */
    private String wholeText() {
      Node first = this;
      while (first.previousSibling() instanceof Text before) {
        first = before;
      }
      StringBuilder text = new StringBuilder();
      for (Node at = first; at instanceof Text part; at = at.nextSibling()) {
        text.append(part.data());
      }
      return text.toString();
    }

    private static Text construct(Realm realm, Arguments args) {
      return of(Document.ofGlobal(realm), args.string(0));
    }
  }

  static final class Comment extends CharacterData {
    Comment(Document document, org.jsoup.nodes.Comment tree) {
      super(document, tree);
    }

    static Comment of(Document document, String data) {
      return new Comment(document, new org.jsoup.nodes.Comment(data));
    }

    @Override
    String data() {
      return ((org.jsoup.nodes.Comment) tree()).getData();
    }

    @Override
    void setData(String data) {
      ((org.jsoup.nodes.Comment) tree()).setData(data);
    }

    @Override
    int nodeType() {
      return COMMENT_NODE;
    }

    @Override
    String nodeName() {
      return "#comment";
    }

    @Override
    Node cloneSingle(Document document) {
      return of(document, data());
    }
  }

  /**
   * The {@code ProcessingInstruction} interface. Only the parser makes these nodes.
   *
   * @see <a href="https://dom.spec.whatwg.org/#interface-processinginstruction">DOM</a>
   */
  static final class ProcessingInstruction extends CharacterData {

    /**
     * The node of the tree. jsoup's own class keeps attributes in place of the text once it has
     * user data, which {@link Node#known} needs.
     */
    static final class Tree extends org.jsoup.nodes.Comment {
      final String target;

      Tree(String target, String data) {
        super(data);
        this.target = target;
      }

      /** Replaces a node that the parser has made. */
      static Tree inPlaceOf(org.jsoup.nodes.ProcessingInstruction parsed) {
        Tree tree = new Tree(parsed.target(), parsed.data());
        parsed.replaceWith(tree);
        return tree;
      }
    }

    ProcessingInstruction(Document document, Tree tree) {
      super(document, tree);
    }

    private String target() {
      return ((Tree) tree()).target;
    }

    @Override
    String data() {
      return ((Tree) tree()).getData();
    }

    @Override
    void setData(String data) {
      ((Tree) tree()).setData(data);
    }

    @Override
    boolean hasSameData(Node other) {
      return super.hasSameData(other) && ((ProcessingInstruction) other).target().equals(target());
    }

    @Override
    int nodeType() {
      return PROCESSING_INSTRUCTION_NODE;
    }

    @Override
    String nodeName() {
      return target();
    }

    @Override
    Node cloneSingle(Document document) {
      return new ProcessingInstruction(document, new Tree(target(), data()));
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("CharacterData", CharacterData.class)
        .getter("data", CharacterData::data)
        .setter("data", (node, args) -> node.setTextContent(args.string(0)))
        .getter("length", node -> node.data().length())
        .operation("substringData", (node, args) -> node.substringData(args))
        .action(
            "appendData", (node, args) -> node.replaceData(node.data().length(), 0, args.string(0)))
        .action(
            "insertData",
            (node, args) -> node.replaceData(node.offset(args, "insertData"), 0, args.string(1)))
        .action("deleteData", (node, args) -> node.deleteData(args))
        .action("replaceData", (node, args) -> node.replaceData(args));
    implementations
        .implement("Text", Text.class)
        .constructor(Text::construct)
        .operation("splitText", Text::split)
        .getter("wholeText", Text::wholeText);
    implementations
        .implement("Comment", Comment.class)
        .constructor((realm, args) -> Comment.of(Document.ofGlobal(realm), args.string(0)));
    implementations
        .implement("ProcessingInstruction", ProcessingInstruction.class)
        .getter("target", ProcessingInstruction::target);
  }
}
