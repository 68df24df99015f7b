package org.rpx.agent.exported;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the pickle of a dict of tensors, as torch.save writes it: what each tensor is, and which
 * record has its bytes. Nothing is constructed but dicts, lists, tuples and descriptions of
 * tensors; whatever else a pickle names is {@link Refused}, and no code of it runs.
 */
final class Pickle {
  /** A value of which no more is known than that it is there. */
  static final Object OTHER = new Object();

  private static final Object MARK = new Object();

  /** A function or class by its full name. */
  record Global(String name) {}

  /**
   * What is not made, by the name of its class or function, or in words.
   *
   * @param what for people
   */
  record Refused(String what) {}

  /** The bytes of tensors: their type and the name of the record. */
  record Storage(Global type, String key, String device) {}

  private final ByteBuffer in;
  private final List<Object> stack = new ArrayList<>();
  private final Map<Integer, Object> memo = new HashMap<>();

  private Pickle(ByteBuffer in) {
    this.in = in.order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The pickled object.
   *
   * @throws GraphException where it is broken
   */
  static Object read(ByteBuffer in) {
    try {
      return new Pickle(in).read();
    } catch (RuntimeException e) {
      // Too short, an empty stack, a tensor of the wrong parts: it is anyone's file.
      throw new GraphException("the pickle of its weights is broken; copy or export it again");
    }
  }

  private Object read() {
    while (true) {
      int op = in.get() & 0xff;
      if (op == '.') return pop();
      step(op);
    }
  }

  /** The opcodes of protocol 2, which torch.save writes. */
  private void step(int op) {
    switch (op) {
      case 0x80 -> in.get(); // Protocol
      case '(' -> push(MARK);
      case '0' -> pop();
      case 'N' -> push(null);
      case 0x88, 0x89 -> push(op == 0x88);
      case 'K' -> push(in.get() & 0xffL);
      case 'M' -> push(in.getShort() & 0xffffL);
      case 'J' -> push((long) in.getInt());
      case 0x8a -> push(integer(in.get() & 0xff));
      case 'G' -> push(Double.longBitsToDouble(Long.reverseBytes(in.getLong())));
      case 'X' -> push(text(in.getInt()));
      case 'U' -> push(text(in.get() & 0xff));
      case 'c' -> push(new Global(line() + "." + line()));
      case 'q', 'h' -> memo(op == 'q', in.get() & 0xff);
      case 'r', 'j' -> memo(op == 'r', in.getInt());
      case '}' -> push(new LinkedHashMap<Object, Object>());
      case ']' -> push(new ArrayList<>());
      case ')' -> push(List.of());
      case 't' -> push(marked());
      case 0x85, 0x86, 0x87 -> push(last(op - 0x84));
      case 's' -> set(last(2));
      case 'u' -> set(marked());
      case 'a' -> add(last(1));
      case 'e' -> add(marked());
      case 'Q' -> push(storage((List<?>) pop()));
      case 'R' -> {
        List<?> arguments = (List<?>) pop();
        push(PickledTensor.call(pop(), arguments));
      }
      case 'b' -> pop(); // Attributes of an object
      case 0x81 -> { // An object without a call
        Object type = last(2).get(0);
        push(type instanceof Global global ? new Refused(global.name()) : OTHER);
      }
      default -> throw new IllegalArgumentException();
    }
  }

  private void push(Object value) {
    stack.add(value);
  }

  private Object pop() {
    return stack.remove(stack.size() - 1);
  }

  private List<Object> last(int count) {
    List<Object> from = stack.subList(stack.size() - count, stack.size());
    List<Object> items = new ArrayList<>(from);
    from.clear();
    return items;
  }

  private List<Object> marked() {
    int at = stack.size() - 1;
    while (stack.get(at) != MARK) at--;
    List<Object> items = last(stack.size() - 1 - at);
    pop();
    return items;
  }

  private void memo(boolean put, int at) {
    if (put) memo.put(at, stack.get(stack.size() - 1));
    else if (memo.containsKey(at)) push(memo.get(at));
    else throw new IllegalArgumentException();
  }

  /** Of keys only texts are told apart: others may be equal to each other, or hold themselves. */
  @SuppressWarnings("unchecked")
  private void set(List<Object> items) {
    if (!(stack.get(stack.size() - 1) instanceof Map<?, ?> map)) return;
    for (int i = 0; i + 1 < items.size(); i += 2)
      ((Map<Object, Object>) map)
          .put(items.get(i) instanceof String name ? name : OTHER, items.get(i + 1));
  }

  @SuppressWarnings("unchecked")
  private void add(List<Object> items) {
    if (stack.get(stack.size() - 1) instanceof List<?> list) ((List<Object>) list).addAll(items);
  }

  /** {@code ("storage", type, key, device, elements)}. */
  private static Object storage(List<?> id) {
    if (!"storage".equals(id.get(0)) || !(id.get(1) instanceof Global type)) return OTHER;
    return new Storage(type, (String) id.get(2), (String) id.get(3));
  }

  private long integer(int bytes) {
    if (bytes > 8) throw new IllegalArgumentException();
    long value = 0;
    for (int i = 0; i < bytes; i++) value |= (in.get() & 0xffL) << (8 * i);
    int unused = 64 - 8 * bytes;
    return bytes == 0 ? 0 : value << unused >> unused;
  }

  private String text(int length) {
    byte[] bytes = new byte[length < 0 || length > in.remaining() ? -1 : length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private String line() {
    int end = in.position();
    while (in.get(end) != '\n') end++;
    String line = text(end - in.position());
    in.get();
    return line;
  }
}
