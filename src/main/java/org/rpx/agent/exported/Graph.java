package org.rpx.agent.exported;

import java.util.List;
import java.util.Map;

/**
 * A graph as the file has it.
 *
 * @param inputs values as in {@link Node.Input}
 * @param outputs likewise
 * @param tensors what each tensor is, by name
 * @param numbers symbolic numbers by name: {@link Size}, Double or Boolean; null where it depends
 *     on values
 */
record Graph(
    List<Object> inputs,
    List<Object> outputs,
    List<Node> nodes,
    Map<String, TensorMeta> tensors,
    Map<String, Object> numbers) {}
