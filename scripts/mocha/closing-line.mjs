/** Shared by the reporter and the runner: was the closing line printed? */
export const closingLine = { printed: false };
