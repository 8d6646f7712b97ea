/** how updates that viewers were not handed yet are called among what is under way */
export const forViewers = 'updates for viewers'
