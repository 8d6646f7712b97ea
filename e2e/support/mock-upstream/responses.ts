/** OpenAI Responses as a provider speaks it; checked against the `openai` package's types. */
import type OpenAI from 'openai'
import type { AnswerPlan } from './types.ts'
import { callsOf, errorTypeOf, inputText, namedEvent, pieces, usageOf, type Wire, type WireContext } from './wire.ts'

type Response = OpenAI.Responses.Response
type Item = OpenAI.Responses.ResponseOutputItem
type Event = OpenAI.Responses.ResponseStreamEvent
/** An event before it has its number. */
type Unnumbered<E = Event> = E extends { sequence_number: number } ? Omit<E, 'sequence_number'> : never
/** `output_text` is added by the SDK, not sent by the API. */
type Body = Omit<Response, 'output_text'>

export const responses: Wire = {
  json: (plan, context): Body => ended(plan, context),

  events(plan, context) {
    const out: string[] = []
    const emit = (event: Unnumbered): void => {
      out.push(namedEvent(event.type, { ...event, sequence_number: out.length }))
    }
    const begun = body(context) as Response
    emit({ type: 'response.created', response: begun })
    emit({ type: 'response.in_progress', response: begun })
    items(plan, context).forEach((item, output_index) => emitItem(item, output_index, plan, emit))
    const last = ended(plan, context) as Response
    emit({ type: last.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response: last })
    return out
  },

  error: (status, message) => ({ error: { message, type: errorTypeOf(status), param: null, code: null } }),
}

function emitItem(item: Item, output_index: number, plan: AnswerPlan, emit: (event: Unnumbered) => void): void {
  const item_id = 'id' in item && typeof item.id === 'string' ? item.id : ''
  switch (item.type) {
    case 'reasoning': {
      emit({ type: 'response.output_item.added', output_index, item: { ...item, summary: [] } })
      item.summary.forEach(({ text }, summary_index) => {
        const at = { item_id, output_index, summary_index }
        emit({ type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } })
        for (const delta of pieces(text, plan.piece))
          emit({ type: 'response.reasoning_summary_text.delta', ...at, delta })
        emit({ type: 'response.reasoning_summary_text.done', ...at, text })
        emit({ type: 'response.reasoning_summary_part.done', ...at, part: { type: 'summary_text', text } })
      })
      break
    }
    case 'message': {
      emit({ type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', content: [] } })
      const at = { item_id, output_index, content_index: 0 }
      const text = plan.text ?? ''
      emit({
        type: 'response.content_part.added',
        ...at,
        part: { type: 'output_text', text: '', annotations: [], logprobs: [] },
      })
      for (const delta of pieces(text, plan.piece))
        emit({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })
      emit({ type: 'response.output_text.done', ...at, text, logprobs: [] })
      emit({
        type: 'response.content_part.done',
        ...at,
        part: { type: 'output_text', text, annotations: [], logprobs: [] },
      })
      break
    }
    case 'function_call': {
      emit({
        type: 'response.output_item.added',
        output_index,
        item: { ...item, status: 'in_progress', arguments: '' },
      })
      for (const delta of pieces(item.arguments, plan.piece))
        emit({ type: 'response.function_call_arguments.delta', item_id, output_index, delta })
      emit({
        type: 'response.function_call_arguments.done',
        item_id,
        output_index,
        name: item.name,
        arguments: item.arguments,
      })
      break
    }
    case 'custom_tool_call': {
      emit({ type: 'response.output_item.added', output_index, item: { ...item, input: '' } })
      for (const delta of pieces(item.input, plan.piece))
        emit({ type: 'response.custom_tool_call_input.delta', item_id, output_index, delta })
      emit({ type: 'response.custom_tool_call_input.done', item_id, output_index, input: item.input })
      break
    }
    default:
      throw new Error(`the mock makes no ${item.type}`)
  }
  emit({ type: 'response.output_item.done', output_index, item })
}

function items(plan: AnswerPlan, { n }: WireContext): Item[] {
  const out: Item[] = []
  if (plan.thinking !== undefined)
    out.push({
      type: 'reasoning',
      id: `rs_mock${n}`,
      summary: [{ type: 'summary_text', text: plan.thinking }],
      encrypted_content: `enc_mock${n}`,
    })
  if (plan.text !== undefined) {
    out.push({
      type: 'message',
      id: `msg_mock${n}`,
      role: 'assistant',
      status: plan.finish === 'length' ? 'incomplete' : 'completed',
      content: [{ type: 'output_text', text: plan.text, annotations: [], logprobs: [] }],
    })
  }
  callsOf(plan).forEach((call, i) => {
    const common = {
      call_id: call.id ?? `call_mock${n}_${i}`,
      name: call.name,
      ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
      status: 'completed' as const,
    }
    out.push(
      call.freeform
        ? { type: 'custom_tool_call', id: `ctc_mock${n}_${i}`, ...common, input: inputText(call) }
        : { type: 'function_call', id: `fc_mock${n}_${i}`, ...common, arguments: inputText(call) },
    )
  })
  return out
}

/** The object as it stands when nothing was said yet. What the request asked for comes back in it. */
function body({ n, model, nowMs, request }: WireContext): Body {
  const asked = request as Partial<Body>
  return {
    id: `resp_mock${n}`,
    object: 'response',
    created_at: Math.floor(nowMs / 1000),
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: asked.instructions ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    model,
    output: [],
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    previous_response_id: asked.previous_response_id ?? null,
    prompt_cache_key: asked.prompt_cache_key ?? null,
    reasoning: asked.reasoning ?? { effort: null, summary: null },
    service_tier: 'default',
    temperature: asked.temperature ?? 1,
    text: asked.text ?? { format: { type: 'text' } },
    tool_choice: asked.tool_choice ?? 'auto',
    tools: asked.tools ?? [],
    top_p: asked.top_p ?? 1,
    truncation: 'disabled',
    metadata: asked.metadata ?? {},
  }
}

function ended(plan: AnswerPlan, context: WireContext): Body {
  const u = usageOf(plan)
  const reason =
    plan.finish === 'length'
      ? 'max_output_tokens'
      : plan.finish === 'content-filter' || plan.finish === 'refusal'
        ? 'content_filter'
        : null
  return {
    ...body(context),
    status: reason === null ? 'completed' : 'incomplete',
    completed_at: reason === null ? Math.floor(context.nowMs / 1000) : null,
    incomplete_details: reason === null ? null : { reason },
    output: items(plan, context),
    usage: {
      input_tokens: u.input,
      input_tokens_details: { cached_tokens: u.cachedInput, cache_write_tokens: 0 },
      output_tokens: u.output,
      output_tokens_details: { reasoning_tokens: u.reasoning },
      total_tokens: u.input + u.output,
    },
  }
}
