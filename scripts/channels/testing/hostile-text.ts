import fc from 'fast-check'

/** Each would mean something in one of the forms, or shows that a text keeps its signs. */
const signs = [
  `" ' '' \`id\` $(id) \${x} ''\${ #{exit} #@x #$x \\ \\n % ! * ? ]]> & &amp; < > ; : | ~ # { } [ ] , @ = - +`,
  'é 漢 🦊 \u00a0 a 1.0 yes null 2026-01-01 |- >- {{x}}',
].flatMap((list) => list.split(' '))

export const hostileText = fc
  .array(fc.constantFrom(' ', '  ', ...signs), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join('').trim())
  .filter((text) => text !== '')
