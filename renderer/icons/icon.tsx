import type { ReactElement } from 'react'

/** The line icons of the design, on a 16 px grid. */
const paths = {
  list: <path d="M2.5 4h.01M2.5 8h.01M2.5 12h.01M5.5 4h8M5.5 8h8M5.5 12h8" />,
  alarm: (
    <>
      <circle cx="8" cy="8.75" r="4.75" />
      <path d="M8 6.25v2.75l1.75 1M2 4l2-1.75M14 4l-2-1.75" />
    </>
  ),
  chart: <path d="M2.5 13.5h11M4 11V8M8 11V3.5M12 11V6" />,
  routes: (
    <path
      d={
        'M2 4.5h3c3 0 3 7 6 7h3M2 11.5h3c.8 0 1.4-.5 1.9-1.2M9 ' +
        '5.7c.5-.7 1.2-1.2 2-1.2h3M12 2.5l2 2-2 2M12 9.5l2 2-2 2'
      }
    />
  ),
  gear: (
    <>
      <path d="M2 4.5h6.5M12.5 4.5H14M2 11.5h1.5M7.5 11.5H14" />
      <circle cx="10.5" cy="4.5" r="2" />
      <circle cx="5.5" cy="11.5" r="2" />
    </>
  ),
  repeat: (
    <path
      d={'M3 7.5V7a2.5 2.5 0 0 1 2.5-2.5H13M11 2.5l2 2-2 2M13 8.5V9a2.5 ' + '2.5 0 0 1-2.5 2.5H3M5 13.5l-2-2 2-2'}
    />
  ),
  agents: (
    <>
      <circle cx="4" cy="3.75" r="1.75" />
      <circle cx="12" cy="6.25" r="1.75" />
      <circle cx="4" cy="12.25" r="1.75" />
      <path d="M4 5.5v5M4 9.5c0-2 1.5-3.25 6.25-3.25" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="m10.25 10.25 3.25 3.25" />
    </>
  ),
  server: (
    <>
      <rect x="2" y="2.75" width="12" height="4.5" rx="1.25" />
      <rect x="2" y="8.75" width="12" height="4.5" rx="1.25" />
      <path d="M4.75 5h.01M4.75 11h.01M7.5 5h4M7.5 11h4" />
    </>
  ),
  plus: <path d="M8 3v10M3 8h10" />,
  pause: <path d="M5.5 3.5v9M10.5 3.5v9" />,
  more: <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2" />,
  edit: <path d="m10.5 3 2.5 2.5L5.5 13H3v-2.5z" />,
  x: <path d="m4 4 8 8M12 4l-8 8" />,
  check: <path d="m3 8.5 3.25 3.25L13 4.75" />,
  down: <path d="M3.5 6 8 10.5 12.5 6" />,
  left: <path d="M10 3.5 5.5 8l4.5 4.5" />,
  right: <path d="M6 3.5 10.5 8 6 12.5" />,
  type: (
    <>
      <rect x="1.5" y="4" width="13" height="8" rx="1.5" />
      <path d="M4 6.75h.01M6.7 6.75h.01M9.3 6.75h.01M12 6.75h.01M5 9.5h6" />
    </>
  ),
  filter: <path d="M2.5 4h11M4.5 8h7M6.5 12h3" />,
  goal: <path d="M4 14V2.5M4 3h8l-1.75 2.75L12 8.5H4" />,
  reviewer: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="m10.25 10.25 3.25 3.25M5.25 7l1.25 1.25L8.9 5.8" />
    </>
  ),
  bolt: <path d="M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z" />,
  lock: (
    <>
      <rect x="3" y="7" width="10" height="6.5" rx="1.5" />
      <path d="M5 7V5a3 3 0 0 1 6 0v2" />
    </>
  ),
  term: (
    <>
      <rect x="1.5" y="2.5" width="13" height="11" rx="1.5" />
      <path d="m4.5 6 2 2-2 2M8.5 10h3" />
    </>
  ),
  folder: <path d="M2 12.5v-9h4l1.5 2H14v7z" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M3.5 10.5A1 1 0 0 1 2.5 9.5v-6a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1" />
    </>
  ),
  undo: <path d="M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6" />,
  download: <path d="M8 2.5v8M4.75 7.5 8 10.75l3.25-3.25M3 13.5h10" />,
  key: (
    <>
      <circle cx="5" cy="11" r="2.5" />
      <path d="m6.8 9.2 6.2-6.2M10.5 5.5l2 2" />
    </>
  ),
  grip: <path d="M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01" strokeWidth="1.8" />,
  user: (
    <>
      <circle cx="8" cy="5.5" r="2.5" />
      <path d="M3 13.5c.5-2.8 2.5-4 5-4s4.5 1.2 5 4" />
    </>
  ),
  model: (
    <>
      <rect x="4" y="4" width="8" height="8" rx="1.5" />
      <path d="M6.5 1.5V4M9.5 1.5V4M6.5 12v2.5M9.5 12v2.5M1.5 6.5H4M1.5 9.5H4M12 6.5h2.5M12 9.5h2.5" />
    </>
  ),
  up: <path d="M3.5 10.5 8 6l4.5 4.5" />,
  play: <path d="M5 3.25v9.5L12.5 8z" />,
  archive: <path d="M2 3h12v3H2zM3 6v7.5h10V6M6.25 8.75h3.5" />,
  pin: <path d="M9.5 2 14 6.5l-1.5.75-3 3 .25 2.25L8.5 13.75 2.25 7.5 3.5 6.25 5.75 6.5l3-3zM5.4 10.6 2 14" />,
  bell: <path d="M4 11V7a4 4 0 0 1 8 0v4l1.25 1.5H2.75zM6.75 14.25h2.5" />,
  send: <path d="M2.5 13.5 14 8 2.5 2.5 4.25 8zM4.25 8H8" />,
  tool: (
    <path
      d={
        'M13.6 4.6 11.5 6.7 9.3 4.5l2.1-2.1a3.75 3.75 0 0 0-4.9 4.7L2.6 ' +
        '11a1.7 1.7 0 0 0 2.4 2.4l3.9-3.9a3.75 3.75 0 0 0 4.7-4.9z'
      }
    />
  ),
  flask: <path d="M6 2.5h4M6.75 2.5v4L3 12.25a.8.8 0 0 0 .7 1.25h8.6a.8.8 0 0 0 .7-1.25L9.25 6.5v-4M5 10h6" />,
  help: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M6.25 6.25a1.75 1.75 0 1 1 2.5 1.6c-.5.25-.75.6-.75 1.15M8 11.25h.01" />
    </>
  ),
} satisfies Record<string, ReactElement>

export type IconName = keyof typeof paths

/** Decorative: whatever holds it has the name. */
export function Icon({ name, large, off }: { name: IconName; large?: boolean; off?: boolean }) {
  return (
    <svg className={`i${large ? ' l' : ''}${off ? ' off' : ''}`} viewBox="0 0 16 16" aria-hidden="true">
      {paths[name]}
    </svg>
  )
}

/** The mark: a full stop that goes on. */
export function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" role="img" aria-label="Onward">
      <circle cx="5" cy="10" r="2.6" fill="currentColor" stroke="none" />
      <path d="M10 4.5 15.5 10 10 15.5" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
