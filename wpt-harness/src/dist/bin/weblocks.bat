@echo off
rem Starts the command line of an unpacked distribution on JAVA_HOME or the java of PATH, 21 or newer.
rem It fetches no web-platform-tests: name a directory of them with wpt --wpt DIR.
setlocal
for %%I in ("%~dp0..") do set "WEBLOCKS_HOME=%%~fI"
set "WEBLOCKS_JAVA=java"
if defined JAVA_HOME set "WEBLOCKS_JAVA=%JAVA_HOME%\bin\java"
"%WEBLOCKS_JAVA%" "@%WEBLOCKS_HOME%\scripts\jvm.options" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC ^
  "-Dweblocks.home=%WEBLOCKS_HOME%" %WEBLOCKS_JVM% ^
  -cp "%WEBLOCKS_HOME%\lib\*" dev.weblocks.harness.cli.Main %*
exit /b %ERRORLEVEL%
