import type { Language } from '../../shared/words.ts'

export interface DemoWords {
  title: string
  about: string
  /** what the person of the demo writes; the marker arms three rounds */
  first: string
  works: string
  did(n: number, of: number): string
  heard: string
  rest: string
  failed(why: string): string
}

export const demoWords: Record<Language, DemoWords> = {
  en: {
    title: 'Onward demo agent',
    about: 'Its answers come from the built-in simulator. It does one item in each turn, and then it stops.',
    first: 'Do the four items of the list.\n<**stopMessage:"Go on with the next item.",3**>',
    works: 'works…',
    did: (n, of) => `Item ${n} of ${of} is done. I stop here.`,
    heard: 'I heard the alarm.',
    rest: 'Nothing is left to do.',
    failed: (why) => `No answer: ${why}`,
  },
  'zh-CN': {
    title: 'Onward 演示代理',
    about: '回答来自内置模拟器。它每个回合只做一项，做完就停。',
    first: '把清单上的四项做完。\n<**stopMessage:"继续下一项。",3**>',
    works: '运行中…',
    did: (n, of) => `第 ${n} 项（共 ${of} 项）做完了，先停在这里。`,
    heard: '听到闹钟了。',
    rest: '没有剩下的事了。',
    failed: (why) => `没有回答：${why}`,
  },
}
