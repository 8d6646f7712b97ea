import type { Quota } from '../../../../shared/routing.ts'
import { anthropicWindows, subscriptionWindows } from './anthropic-headers.ts'
import { codexWindows } from './codex-headers.ts'
import { copilotWindows } from './copilot-headers.ts'
import { plainHeaders } from './parts.ts'
import { openaiWindows } from './openai-headers.ts'
import { subjectOfWindow } from './subject.ts'
import type { ReadQuotas } from './types.ts'

export const readQuotas: ReadQuotas = (headers, now) => {
  const plain = plainHeaders(headers)
  const windows = [subscriptionWindows, codexWindows, copilotWindows, anthropicWindows, openaiWindows].flatMap((read) =>
    read(plain, now),
  )
  return windows.map(({ window, usedPercent, resetsAt, spent }): Quota => {
    const subject = subjectOfWindow(window)
    return { window, usedPercent: usedPercent ?? (spent ? 100 : null), resetsAt, ...(subject && { subject }) }
  })
}
