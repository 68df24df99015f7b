package org.rpx.agent.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** "200ms", "3s", "1.5m": a number and a unit. */
final class Durations implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)(us|ms|s|m|h)");

  @Override
  public Duration convert(String text) {
    Matcher m = FORM.matcher(text.strip());
    if (!m.matches())
      throw new TypeConversionException(
          "\"" + text + "\" is no duration: write a number and a unit, 200ms or 3s");
    double nanos =
        Double.parseDouble(m.group(1))
            * switch (m.group(2)) {
              case "us" -> 1e3;
              case "ms" -> 1e6;
              case "s" -> 1e9;
              case "m" -> 60e9;
              default -> 3600e9;
            };
    if (nanos < 1 || nanos > 1e18)
      throw new TypeConversionException(
          "\"" + text + "\": a duration has to be longer than 0 and shorter than 30 years");
    return Duration.ofNanos((long) nanos);
  }
}
