import type { EntryProtocol } from '../../../../../shared/words.ts'

/** A place where an image may be: the JSON around it, and its replacement by a text. */
export interface Place {
  protocol: EntryProtocol
  name: string
  /** a whole, valid request */
  request(image: string): string
  image: string
  /** it is part of what the model is to answer */
  asked: boolean
  source: unknown
  /** `text` is a JSON string; returns what takes the image's place, and what is added elsewhere */
  after(text: string): string
}

export const base64 = 'iVBORw0KGgo/AAA+ANSUhEUg=='
const data = { kind: 'data', mediaType: 'image/png', base64 }
const chat = (items: string) => `{ "model" : "m", "messages":[ ${items} ],"stream":true}`
const responses = (items: string) => `{"model":"m","input": [${items}] , "store":false}`
const messages = (items: string) => `{"model":"m","max_tokens":5,"messages":[${items}] }`
const gemini = (items: string) => `{"contents":[${items}] ,"generationConfig": {}}`

const chatCall =
  '{"role":"user","content":"go"},{"role":"assistant","content":null,' +
  '"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}'
const responsesCall =
  '{"role":"user","content":"go"},{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"}'
const messagesCall =
  '{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]}'
const geminiCall =
  '{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"id":"g1","name":"f","args":{}}}]}'

const chatImage = `{ "type":"image_url", "image_url":{"detail":"high","url":"data:image/png;base64,${base64}"} }`
const responsesImage = `{"type":"input_image","detail":"auto", "image_url":"data:image/png;base64,${base64}"}`
const messagesImage = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${base64}"}}`
const geminiImage = `{"inlineData":{"mimeType":"image/png","data":"${base64}"}}`

const typed = (type: string) => (text: string) => `{"type":"${type}","text":${text}}`
const bare = (text: string) => `{"text":${text}}`
const mark = '{ "type":"ephemeral" }'

export const places: readonly Place[] = [
  {
    protocol: 'chat',
    name: 'a user message',
    asked: true,
    source: data,
    image: chatImage,
    request: (i) => chat(`{"role":"user","content":[{"type":"text","text":"see \\u00e9"} , ${i}]}`),
    after: typed('text'),
  },
  {
    protocol: 'chat',
    name: 'an earlier message',
    asked: false,
    source: data,
    image: chatImage,
    request: (i) =>
      chat(`{"role":"user","content":[${i}]},{"role":"assistant","content":"yes"},{"role":"user","content":"now?"}`),
    after: typed('text'),
  },
  {
    protocol: 'chat',
    name: "a tool's result",
    asked: true,
    source: data,
    image: chatImage,
    request: (i) =>
      chat(`${chatCall},{"role":"tool","tool_call_id":"c1","content":[ ${i}, {"type":"text","text":"shot"}]}`),
    after: typed('text'),
  },
  {
    protocol: 'chat',
    name: 'an address',
    asked: true,
    source: { kind: 'url', url: 'https://x.example/é.png', mediaType: null },
    image: '{"type":"image_url","image_url":{"url":"https:\\/\\/x.example\\/\\u00e9.png"}}',
    request: (i) => chat(`{"role":"user","content":[${i}]}`),
    after: typed('text'),
  },
  {
    protocol: 'chat',
    name: 'a bare address',
    asked: true,
    source: { kind: 'url', url: 'https://x.example/a', mediaType: null },
    image: '{"type":"image_url","image_url":"https://x.example/a"}',
    request: (i) => chat(`{"role":"user","content":[${i}]}`),
    after: typed('text'),
  },
  {
    protocol: 'chat',
    name: 'a part with a mark',
    asked: true,
    source: data,
    image: `{"cache_control":${mark},"type":"image_url","image_url":{"url":"data:image/png;base64,${base64}"}}`,
    request: (i) => chat(`{"role":"user","content":[${i}]}`),
    after: (text) => `{"type":"text","text":${text},"cache_control":${mark}}`,
  },
  {
    protocol: 'responses',
    name: 'a user message',
    asked: true,
    source: data,
    image: responsesImage,
    request: (i) => responses(`{"type":"message","role":"user","content":[ ${i},{"type":"input_text","text":"see"}]}`),
    after: typed('input_text'),
  },
  {
    protocol: 'responses',
    name: 'an earlier message without a type',
    asked: false,
    source: data,
    image: responsesImage,
    request: (i) =>
      responses(`{"role":"user","content":[${i}]},{"role":"assistant","content":"a"},{"role":"user","content":"b"}`),
    after: typed('input_text'),
  },
  {
    protocol: 'responses',
    name: "a function's output",
    asked: true,
    source: data,
    image: responsesImage,
    request: (i) => responses(`${responsesCall},{"type":"function_call_output","call_id":"c1","output":[${i}]}`),
    after: typed('input_text'),
  },
  {
    protocol: 'responses',
    name: 'an earlier output',
    asked: false,
    source: data,
    image: responsesImage,
    request: (i) =>
      responses(
        `${responsesCall},{"type":"function_call_output","call_id":"c1","output":[${i}]},{"role":"user","content":"b"}`,
      ),
    after: typed('input_text'),
  },
  {
    protocol: 'responses',
    name: "a custom tool's output",
    asked: true,
    source: data,
    image: responsesImage,
    request: (i) =>
      responses(
        '{"type":"custom_tool_call","call_id":"c1","name":"f","input":""},{"type":"custom_tool_call_output",' +
          `"call_id":"c1","output":[{"type":"input_text","text":"a"},${i}]}`,
      ),
    after: typed('input_text'),
  },
  {
    protocol: 'responses',
    name: 'an uploaded file',
    asked: true,
    source: { kind: 'id', of: 'responses', id: 'file-1' },
    image: '{"type":"input_image","file_id":"file-1"}',
    request: (i) => responses(`{"role":"user","content":[${i}]}`),
    after: typed('input_text'),
  },
  {
    protocol: 'responses',
    name: 'a part with a mark',
    asked: true,
    source: { kind: 'url', url: 'https://x.example/a', mediaType: null },
    image: '{"type":"input_image","image_url":"https://x.example/a","prompt_cache_breakpoint":{}}',
    request: (i) => responses(`{"role":"user","content":[${i}]}`),
    after: (text) => `{"type":"input_text","text":${text},"prompt_cache_breakpoint":{}}`,
  },
  {
    protocol: 'responses',
    name: "a computer's screenshot",
    asked: true,
    source: data,
    image:
      '{"type":"computer_call_output","call_id":"c1", "output":{"type":"computer_screenshot",' +
      `"image_url":"data:image/png;base64,${base64}"},"status":"completed"}`,
    request: (i) =>
      responses(
        '{"role":"user","content":"go"},{"type":"computer_call","call_id":"c1","id":"x",' +
          `"action":{"type":"screenshot"},"pending_safety_checks":[],"status":"completed"}, ${i}`,
      ),
    after: (text) =>
      '{"type":"computer_call_output","call_id":"c1", ' +
      '"output":{"type":"computer_screenshot"},"status":"completed"},{"type":"message",' +
      `"role":"user","content":[{"type":"input_text","text":${text}}]}`,
  },
  {
    protocol: 'messages',
    name: 'a user message',
    asked: true,
    source: data,
    image: messagesImage,
    request: (i) => messages(`{"role":"user","content":[${i} ,{"type":"text","text":"see"}]}`),
    after: typed('text'),
  },
  {
    protocol: 'messages',
    name: 'an earlier message',
    asked: false,
    source: data,
    image: messagesImage,
    request: (i) =>
      messages(`{"role":"user","content":[${i}]},{"role":"assistant","content":"a"},{"role":"user","content":"b"}`),
    after: typed('text'),
  },
  {
    protocol: 'messages',
    name: "a tool's result",
    asked: true,
    source: data,
    image: messagesImage,
    request: (i) =>
      messages(
        `${messagesCall},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",` +
          `"content":[{"type":"text","text":"shot"},${i}],"is_error":false}]}`,
      ),
    after: typed('text'),
  },
  {
    protocol: 'messages',
    name: "an earlier tool's result",
    asked: false,
    source: data,
    image: messagesImage,
    request: (i) =>
      messages(
        `${messagesCall},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",` +
          `"content":[${i}]}]},{"role":"assistant","content":"a"},{"role":"user","content":"b"}`,
      ),
    after: typed('text'),
  },
  {
    protocol: 'messages',
    name: 'an address, with a mark',
    asked: true,
    source: { kind: 'url', url: 'https://x.example/a', mediaType: null },
    image: `{"type":"image","cache_control":${mark},"source":{"type":"url","url":"https://x.example/a"}}`,
    request: (i) => messages(`{"role":"user","content":[${i}]}`),
    after: (text) => `{"type":"text","text":${text},"cache_control":${mark}}`,
  },
  {
    protocol: 'messages',
    name: 'an uploaded file',
    asked: true,
    source: { kind: 'id', of: 'messages', id: 'file_1' },
    image: '{"type":"image","source":{"type":"file","file_id":"file_1"}}',
    request: (i) => messages(`{"role":"user","content":[${i}]}`),
    after: typed('text'),
  },
  {
    protocol: 'messages',
    name: 'a source nobody knows',
    asked: true,
    source: null,
    image: '{"type":"image","source":{"type":"new"}}',
    request: (i) => messages(`{"role":"user","content":[${i}]}`),
    after: typed('text'),
  },
  {
    protocol: 'gemini',
    name: 'a user content',
    asked: true,
    source: data,
    image: geminiImage,
    request: (i) => gemini(`{"role":"user","parts":[{"text":"see"}, ${i}]}`),
    after: bare,
  },
  {
    protocol: 'gemini',
    name: 'an earlier content in snake case',
    asked: false,
    source: data,
    image: `{"inline_data":{"data":"${base64.replaceAll('/', '\\/')}", "mime_type":"image\\/png"}}`,
    request: (i) =>
      gemini(
        `{"role":"user","parts":[${i}]},{"role":"model","parts":[{"text":"a"}]},{"role":"user","parts":[{"text":"b"}]}`,
      ),
    after: bare,
  },
  {
    protocol: 'gemini',
    name: 'a file at an address',
    asked: true,
    source: { kind: 'url', url: 'https://x.example/a.webp', mediaType: null },
    image: '{"fileData":{"mimeType":"image/webp","fileUri":"https://x.example/a.webp"}}',
    request: (i) => gemini(`{"role":"user","parts":[${i}]}`),
    after: bare,
  },
  {
    protocol: 'gemini',
    name: "a file of Google's",
    asked: true,
    source: { kind: 'id', of: 'gemini', id: 'https://generativelanguage.googleapis.com/v1beta/files/a' },
    image:
      '{"fileData":{"mimeType":"image/webp","fileUri":"https://generativelanguage.googleapis.com/v1beta/files/a"}}',
    request: (i) => gemini(`{"role":"user","parts":[${i}]}`),
    after: bare,
  },
  {
    protocol: 'gemini',
    name: "an image of the model's own",
    asked: false,
    source: data,
    image: `{"thoughtSignature":"c2ln","inlineData":{"mimeType":"image/png","data":"${base64}"}}`,
    request: (i) =>
      gemini(
        '{"role":"user","parts":[{"text":"draw"}]},{"role":"model",' +
          `"parts":[${i}]},{"role":"user","parts":[{"text":"b"}]}`,
      ),
    after: (text) => `{"text":${text},"thoughtSignature":"c2ln"}`,
  },
  {
    protocol: 'gemini',
    name: "a tool's result",
    asked: true,
    source: data,
    image: `{"functionResponse":{"id":"g1","name":"f","response":{"output":"x"},"parts":[${geminiImage}]}}`,
    request: (i) => gemini(`${geminiCall},{"role":"user","parts":[ ${i} ]}`),
    after: (text) =>
      `{"functionResponse":{"id":"g1","name":"f","response":{"output":"x"},"parts":[]}},{"text":${text}}`,
  },
]
