import { beginnings, restarted } from '../observe/restarts.ts'
import { sameAround } from '../observe/same-around.ts'
import { eventType, stringBehind } from '../observe/peek.ts'
import { addTool, noteEnd, nothingSeen, type AnswerReader } from '../observe/reader.ts'
import type { Frame } from '../answer/frame.ts'
import { asName, asText, type JsonObject } from '../values.ts'
import { recordedUsage } from '../usage-sums.ts'
import * as facts from './facts.ts'
import { mergeCounts, usageOfMessage } from './usage-dialects.ts'

/** Reads Messages: one object, or events up to `message_stop`. */
export function messagesReader(): AnswerReader {
  const seen = nothingSeen()
  const begins = beginnings()
  const around = sameAround()
  let hasToolUse = false
  /** more came than the beginning of a block, after which LiteLLM sends the same `message_start` again */
  let said = false
  let reason: string | null = null
  let counts: JsonObject = {}
  let ended = false

  function event(frame: Frame): void {
    const words = around.tokenIn(frame)
    if (words) {
      frame.onlyWords = true
      return seen.tail.addToken(frame.dataSource, words)
    }
    switch (eventType(frame)) {
      case 'content_block_delta': {
        said = true
        const { data, latin1 } = frame
        const text = latin1.includes('"text_delta"') ? stringBehind(latin1, 'text') : null
        if (!text || !data) return
        around.learn(frame, text)
        seen.tail.addToken(data, text)
        return
      }
      case 'message_start': {
        // A new message after the end does not undo it.
        if (seen.complete) return
        const message = facts.start(frame.value())
        if (!begins.again(message, said || !seen.tail.isEmpty())) return readMessage(message)
        ended = true
        seen.error = restarted
        return
      }
      case 'content_block_start':
        return readBlock(facts.block(frame.value()))
      case 'message_delta':
        return readEnd(frame.value())
      case 'message_stop':
        ended = true
        seen.complete = true
        return finished()
      case 'error':
        ended = true
        seen.error = facts.error(frame.value())
    }
  }

  function readMessage(message: JsonObject): void {
    seen.responseId ??= asName(message['id'])
    seen.model ??= asName(message['model'])
    readEnd(message)
    for (const block of facts.blocks(message)) readBlock(block)
  }

  function readEnd(value: JsonObject | null): void {
    reason = facts.finish(value) ?? reason
    counts = mergeCounts(counts, facts.usage(value))
    seen.usage = recordedUsage(usageOfMessage(counts))
  }

  function readBlock(block: JsonObject): void {
    if (facts.isCall(block)) {
      hasToolUse = true
      addTool(seen, asText(block['name']) ?? 'tool_use')
    } else if (block['type'] === 'text') {
      seen.tail.separate()
      seen.tail.addText(facts.text(block))
    }
  }

  const finished = (): void => noteEnd(seen, [reason], { calls: hasToolUse, text: false, usage: false })

  return {
    seen,
    ended: () => ended,
    over: () => seen.complete,
    frame: event,
    body(value) {
      readMessage(value)
      finished()
    },
  }
}
