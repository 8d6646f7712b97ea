import type { CanonicalRequest, Message } from './request.ts'

/**
 * A request of nothing but instructions, said by the user: Google demands `contents`, Anthropic a message of the user,
 * OpenAI an `input` (Chat alone takes a system message by itself). The model reads the same words, and none of ours.
 */
export function saidByUser(request: CanonicalRequest): { request: CanonicalRequest; dropped: readonly string[] } {
  const isSaid = request.messages.some(saysAnything)
  const parts = request.system.filter(({ text }) => text.trim() !== '')
  if (isSaid || parts.length === 0) return { request, dropped: [] }
  return { request: { ...request, system: [], messages: [{ role: 'user', parts }] }, dropped: ['messages[].role'] }
}

const saysAnything = ({ parts }: Message): boolean =>
  parts.some((part) => part.type !== 'text' || part.text.trim() !== '')
