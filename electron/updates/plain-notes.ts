/** Release notes as plain text, whatever the publisher wrote them in. */
const longest = 4_000

export function plainNotes(notes: unknown): string {
  const text = Array.isArray(notes)
    ? notes.map((one: unknown) => noteOf(one)).join('\n\n')
    : typeof notes === 'string'
      ? notes
      : ''
  const plain = text
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/gi, '')
    .replaceAll(/<(br|\/p|\/li|\/h\d|\/ul|\/div)\b[^>]*>/gi, '\n')
    .replaceAll(/<li\b[^>]*>/gi, '- ')
    .replaceAll(/<\/?[a-z][^>]*>/gi, '')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_all, name: keyof typeof entities) => entities[name])
    // Nothing in it may move what stands around it.
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' } as const

function noteOf(one: unknown): string {
  if (typeof one !== 'object' || one === null || !('note' in one)) return ''
  return typeof one.note === 'string' ? one.note : ''
}
