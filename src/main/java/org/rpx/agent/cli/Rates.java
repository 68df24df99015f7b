package org.rpx.agent.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rpx.agent.measure.Pace;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** "30hz", "1khz", "0.5hz": a number and a unit. */
final class Rates implements ITypeConverter<Double> {
  private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(hz|khz)");

  @Override
  public Double convert(String text) {
    Matcher m = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!m.matches())
      throw new TypeConversionException(
          "\"" + text + "\" is no rate: write a number and a unit, 30hz or 1khz");
    double hz = Double.parseDouble(m.group(1)) * (m.group(2).equals("khz") ? 1e3 : 1);
    try {
      Pace.periodNs(hz);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("\"" + text + "\": " + e.getMessage());
    }
    return hz;
  }
}
