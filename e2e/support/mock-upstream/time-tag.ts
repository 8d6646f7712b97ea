/**
 * How Onward tells the time behind a request. Written out here: a test that read it from the product would not see it
 * change.
 */
export const isTimeTag = (text: unknown): text is string =>
  typeof text === 'string' &&
  /^\[Time\/Date\]: utc=`\S+` local=`\S+` tz=`\S+` nowMs=`\d+` ntpOffsetMs=`-?\d+`$/.test(text)

const member = /,?\{(?:"type":"(?:input_)?text",)?"text":"\[Time\/Date\]: [^"]*"\}/g
/** One message as it came, without the time that stands in it; null: it was nothing else. */
export function withoutTimeTag(json: string): string | null {
  if (!json.includes('[Time/Date]: ')) return json
  const rest = json.replace(member, '').replace(/"content":"\[Time\/Date\]: [^"]*"/, '"content":[]')
  return /"(?:content|parts)":\[\]/.test(rest) ? null : rest
}
