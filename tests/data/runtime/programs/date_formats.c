// All conversions of strftime, with and without modifiers; unknown ones are copied.
#include "show.h"
#include <time.h>
int main(void){
 struct tm tm={.tm_year=101,.tm_mon=1,.tm_mday=3,.tm_hour=4,.tm_min=5,.tm_sec=6,.tm_wday=6,.tm_yday=33};
 char f[8],t[64];
 for(int c=33;c<127;c++){ if(c=='s'||c=='Z'||c=='+'||c=='-'||c=='_'||c=='^'||c=='#'||(c>='0'&&c<='9'))continue;
  for(int k=0;k<3;k++){ snprintf(f,8,"<%%%s%c>",k==0?"":k==1?"E":"O",c); printf("%s %zu ",f,strftime(t,sizeof t,f,&tm)); printf("%s\n",t);} }
 printf("%zu ",strftime(t,sizeof t,"a%",&tm));printf("%s\n",t);
 return 0;}
