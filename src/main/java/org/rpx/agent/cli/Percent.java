package org.rpx.agent.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** "1%" as the share 0.01. */
final class Percent implements ITypeConverter<Double> {
  private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*%");

  @Override
  public Double convert(String text) {
    Matcher m = FORM.matcher(text.strip());
    double share = m.matches() ? Double.parseDouble(m.group(1)) / 100 : 0;
    if (!(share > 0 && share < 1))
      throw new TypeConversionException(
          "\"" + text + "\" is no percentage between 0 and 100: as 1% or 0.5%");
    return share;
  }
}
