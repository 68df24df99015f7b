package org.rpx.agent.cli;

import java.util.List;
import org.rpx.agent.host.CpuSet;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** "0-3,8", as {@code taskset} and the kernel write CPUs. */
final class CpuList implements ITypeConverter<List<Integer>> {
  @Override
  public List<Integer> convert(String text) {
    List<Integer> cpus = CpuSet.numbers(text);
    if (cpus == null)
      throw new TypeConversionException(
          "\"" + text + "\" is no list of CPUs: write their numbers, 0,2 or 0-3");
    return cpus;
  }
}
